import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;

/**
 * Runs Debezium's connector and its outbox event router in this process, as Kafka Connect would with
 * the same configuration, and prints what would be written to Kafka: topic, key, value, headers.
 */
public class ReadOutbox {
    record Connector(String name, Map<String, String> config) {}

    public static void main(String[] args) throws Exception {
        var connector = new ObjectMapper().readValue(new File(args[0]), new TypeReference<Connector>() {});
        var settings = new Properties();
        settings.putAll(connector.config());
        settings.putAll(place(URI.create(System.getenv("DATABASE_URL"))));
        settings.put("name", connector.name());
        settings.put("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");

        Converter keys = make(settings, "key.converter");
        keys.configure(Map.of(), true);
        Converter values = make(settings, "value.converter");
        values.configure(Map.of(), false);
        HeaderConverter headers = make(settings, "header.converter");
        headers.configure(Map.of("converter.type", "header"));

        var engine = DebeziumEngine.create(Connect.class)
                .using(settings)
                .notifying(change -> {
                    SourceRecord record = change.value();
                    System.out.println("topic: " + record.topic() + (record.sourceOffset().containsKey("snapshot") ? ", from the snapshot" : ", from the log"));
                    System.out.println("key:   " + text(keys.fromConnectData(record.topic(), record.keySchema(), record.key())));
                    System.out.println("value: " + text(values.fromConnectData(record.topic(), record.valueSchema(), record.value())));
                    var sorted = new TreeMap<String, String>();
                    record.headers().forEach(h -> sorted.put(h.key(), text(headers.fromConnectHeader(record.topic(), h.key(), h.schema(), h.value()))));
                    sorted.forEach((name, value) -> System.out.println("       " + name + ": " + value));
                })
                .using((success, message, error) -> {
                    if (!success) {
                        System.err.println(message);
                        System.exit(1);
                    }
                })
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                engine.close();
            } catch (Exception e) {
                System.err.println(e);
            }
        }));
        engine.run();
    }

    /** Where the database is, in the connector's own words. */
    static Map<String, String> place(URI url) {
        var login = url.getUserInfo().split(":", 2);
        return Map.of(
                "database.hostname", url.getHost(),
                "database.port", String.valueOf(url.getPort() < 0 ? 5432 : url.getPort()),
                "database.dbname", url.getPath().substring(1),
                "database.user", login[0],
                "database.password", login.length > 1 ? login[1] : "");
    }

    @SuppressWarnings("unchecked")
    static <T> T make(Properties settings, String key) throws ReflectiveOperationException {
        return (T) Class.forName(settings.getProperty(key)).getDeclaredConstructor().newInstance();
    }

    static String text(byte[] bytes) {
        return bytes == null ? "none" : new String(bytes, StandardCharsets.UTF_8);
    }
}
