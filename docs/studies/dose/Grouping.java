import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** H2 in memory: a grouping query over 5,000 rows that are made once. */
public final class Grouping {
    private static final Connection DATABASE = filled();

    private Grouping() {
    }

    private static Connection filled() {
        try {
            Connection database = DriverManager.getConnection("jdbc:h2:mem:");
            try (Statement statement = database.createStatement()) {
                statement.execute("create table sale(id int primary key, shop int, price decimal(10, 2), text varchar(40))");
                statement.execute("insert into sale select x, mod(x * 7, 90), mod(x * 13, 1000) / 7.0, 'item ' || mod(x, 50) from system_range(1, 5000)");
            }
            return database;
        } catch (SQLException exception) {
            throw new IllegalStateException(exception);
        }
    }

    public static void main(String[] arguments) throws SQLException {
        long rows = 0;
        try (Statement statement = DATABASE.createStatement();
                ResultSet result = statement.executeQuery(
                        "select shop, text, count(*), sum(price) from sale where price > 20 group by shop, text order by 4 desc")) {
            while (result.next()) {
                rows++;
            }
        }
        System.out.println(rows);
    }
}
