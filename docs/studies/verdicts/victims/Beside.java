import java.util.HashMap;
import java.util.Map;

/**
 * {@code run} calls {@code look}, which looks a number up in a map and so makes an {@code Integer} of it, and then {@code mix}, where the work
 * is. Neither calls the other; both are compiled together with {@code run}.
 *
 * <p>Truth: the time is {@code mix}'s, for without its turns it is gone; {@code look} looks up as often either way. What C2 makes of all
 * three after it has tried to do without the {@code Integer} it writes down as {@code look}'s (docs/studies/boxing).
 */
public final class Beside implements Clock.Victim {
    private static final int ORDERS = 20_000;
    private static final int TURNS = 200;
    private static final Map<Integer, Integer> PRICES = prices();
    private static int turns = TURNS;

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Beside(), "Beside.mix", "");
        } else {
            System.out.println(new Beside().run());
        }
    }

    private static Map<Integer, Integer> prices() {
        Map<Integer, Integer> prices = new HashMap<>();
        for (int id = 0; id < 64; id++) {
            prices.put(id, 3 * id);
        }
        return prices;
    }

    @Override
    public void set(boolean whole) {
        turns = whole ? TURNS : 0;
    }

    @Override
    public long run() {
        long state = 1;
        for (int id = 0; id < ORDERS; id++) {
            state = mix(state, look(id & 63));
        }
        return state;
    }

    private static int look(int id) {
        Integer price = PRICES.get(id);
        return price == null ? 0 : price;
    }

    private static long mix(long start, long price) {
        long x = start + price;
        for (int i = 0, n = turns; i < n; i++) {
            x = (x ^ price) * 0x9E3779B97F4A7C15L;
            x ^= x >>> 29;
        }
        return x;
    }
}
