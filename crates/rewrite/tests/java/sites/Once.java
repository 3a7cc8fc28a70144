/** A method that does nothing but what its site does. */
public class Once {
    static void run() {
    }
}
