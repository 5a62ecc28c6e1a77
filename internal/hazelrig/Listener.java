import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.json.Json;
import com.hazelcast.internal.json.JsonObject;
import com.hazelcast.topic.ITopic;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Listens to topics as a service written in Java does, and prints what arrives.
 * Arguments: the cluster's name and the address of a member. Each line of the
 * input is "plain TOPIC" or "reliable TOPIC"; it ends with the input.
 */
public class Listener {
    public static void main(String[] args) throws Exception {
        ClientConfig config = new ClientConfig().setClusterName(args[0]).setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig().addAddress(args[1]);
        HazelcastInstance hazelcast = HazelcastClient.newHazelcastClient(config);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = input.readLine()) != null;) {
            String[] words = line.split(" ", 2);
            String name = words[1];
            ITopic<HazelcastJsonValue> topic =
                    words[0].equals("reliable") ? hazelcast.getReliableTopic(name) : hazelcast.getTopic(name);
            topic.addMessageListener(message -> print(name, message.getMessageObject()));
            print("listening", name);
        }
        hazelcast.shutdown();
    }

    private static void print(String topic, HazelcastJsonValue value) {
        JsonObject event = Json.parse(value.getValue()).asObject();
        byte[] text = value.getValue().getBytes(StandardCharsets.UTF_8);
        print("message", topic, event.getString("eventId", ""), event.getString("eventType", ""),
                Base64.getEncoder().encodeToString(text));
    }

    private static synchronized void print(String... fields) {
        System.out.println(String.join("\t", fields));
    }
}
