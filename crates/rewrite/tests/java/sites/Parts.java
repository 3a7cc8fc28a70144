/** A method whose parts are run differently often; prints how often its sites were reached, which count. */
public class Parts {
    static boolean both(int n) {
        return n % 2 == 0 && n % 3 == 0;
    }

    public static void main(String[] arguments) throws Exception {
        int found = 0;
        for (int n = 0; n < 60; n++) {
            found += both(n) ? 1 : 0;
        }
        Class<?> sites = Class.forName("java.lang.ProofmarkSites");
        StringBuilder said = new StringBuilder("found " + found + " reached");
        for (int site = 0; site < 4; site++) {
            said.append(' ').append(sites.getField("k" + site).getInt(null));
        }
        System.out.println(said);
    }
}
