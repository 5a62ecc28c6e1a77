import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Places two orders. An order and its event are committed together, or neither is. */
public class PlaceOrder {
    static class Declined extends Exception {}

    static void placeOrder(Connection db, String order, int total) throws SQLException, Declined {
        db.setAutoCommit(false);
        try (var row = db.prepareStatement("INSERT INTO orders (id, total) VALUES (?, ?)");
                // The driver sends a string as text, which a json column does not accept without the CAST.
                var event = db.prepareStatement("""
                        INSERT INTO outbox_event (event_type, aggregate_type, aggregate_id, payload, headers)
                        VALUES (?, ?, ?, CAST(? AS json), CAST(? AS json))""")) {
            row.setString(1, order);
            row.setInt(2, total);
            row.executeUpdate();
            event.setString(1, "OrderPlaced");
            event.setString(2, "Order");
            event.setString(3, order);
            event.setString(4, "{\"id\": \"%s\", \"total\": %d}".formatted(order, total));
            event.setString(5, "{\"source\": \"java\"}");
            event.executeUpdate();
            if (total > 1000) {
                throw new Declined();
            }
            db.commit();
        } catch (SQLException | Declined e) {
            db.rollback(); // both rows
            throw e;
        } finally {
            db.setAutoCommit(true);
        }
        // Optional: makes the daemon deliver now, not at its next poll. Send it after the commit.
        try (var wake = db.createStatement()) {
            wake.execute("SELECT pg_notify('public.outbox_event', '[\"OrderPlaced\"]')");
        }
    }

    public static void main(String[] args) throws SQLException {
        try (var db = connect(URI.create(System.getenv("DATABASE_URL")))) {
            try (var create = db.createStatement()) {
                create.execute("CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, total integer NOT NULL)");
            }
            for (var order : new String[] {"4712", "4711"}) {
                try {
                    placeOrder(db, order, order.equals("4712") ? 5000 : 12);
                    System.out.printf("order %s: placed%n", order);
                } catch (Declined e) {
                    System.out.printf("order %s: card declined, so neither the order nor its event exists%n", order);
                }
            }
        }
    }

    /** JDBC wants user and password apart from the URL. */
    static Connection connect(URI url) throws SQLException {
        var login = new Properties();
        if (url.getUserInfo() != null) {
            var parts = url.getUserInfo().split(":", 2);
            login.setProperty("user", parts[0]);
            login.setProperty("password", parts.length > 1 ? parts[1] : "");
        }
        var port = url.getPort() < 0 ? 5432 : url.getPort();
        var parameters = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        return DriverManager.getConnection("jdbc:postgresql://" + url.getHost() + ":" + port + url.getPath() + parameters, login);
    }
}
