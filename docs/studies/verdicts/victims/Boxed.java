import java.util.HashMap;
import java.util.Map;

/**
 * {@code order} looks a number up in a map, which makes an {@code Integer} of it, and calls {@code mix}, where the work is. Both are compiled
 * together with {@code run}.
 *
 * <p>Truth: the time is {@code mix}'s, for without its turns it is gone; {@code order} looks up as often either way. C2 tries to do
 * without the {@code Integer} after it has read all three methods, and what it makes of them afterwards it writes down as {@code order}'s
 * (docs/studies/boxing).
 */
public final class Boxed implements Clock.Victim {
    private static final int ORDERS = 20_000;
    private static final int TURNS = 200;
    private static final Map<Integer, Integer> PRICES = prices();
    private static int turns = TURNS;

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Boxed(), "Boxed.mix", "");
        } else {
            System.out.println(new Boxed().run());
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
            state = order(state, id & 63);
        }
        return state;
    }

    private static long order(long state, int id) {
        Integer price = PRICES.get(id);
        return price == null ? state : mix(state, price);
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
