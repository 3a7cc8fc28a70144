package proofmark.count;

/** Makes the agents of threads. */
final class Agents {
    private static Class<?> chosen;

    private Agents() {
    }

    static Agent create() {
        if (Settings.AGENT.isEmpty()) {
            return new CallTree();
        }
        try {
            return (Agent) chosen().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            System.err.println("proofmark count: agent " + Settings.AGENT + " cannot be used (" + e
                    + "); it must be a public class that implements proofmark.count.Agent, with a public constructor"
                    + " without parameters. The calling-context tree is used instead.");
            return new CallTree();
        }
    }

    private static synchronized Class<?> chosen() throws ClassNotFoundException {
        if (chosen == null) {
            ClassLoader mine = Agents.class.getClassLoader();
            try {
                chosen = Class.forName(Settings.AGENT, true, mine);
            } catch (ClassNotFoundException e) {
                chosen = Class.forName(Settings.AGENT, true, ClassLoader.getSystemClassLoader());
            }
        }
        return chosen;
    }
}
