package proofmark.count;

/** What belongs to one thread. */
final class State {
    final Thread thread;
    final boolean virtual;
    final String name;
    /** The thread's own context, or what interrupts it; null in exact mode. */
    Context current;
    /** The thread's own context. */
    final Context own;
    /** Exact mode: above the outermost methods. */
    final Node root;
    /** Exact mode: what interrupts the thread now, the last one first. */
    Interruption interruption;

    State(Thread thread, boolean virtual, String name) {
        this.thread = thread;
        this.virtual = virtual;
        this.name = name;
        root = Node.root(null);
        root.top = root;
        own = Settings.EXACT ? null : new Context(this, null);
        current = own;
    }

    /** A tree that is not the thread's own. */
    static final class Interruption {
        final Node root;
        Interruption next;

        Interruption(Node root, Interruption next) {
            this.root = root;
            this.next = next;
        }
    }

    /** Exact mode: the root for something that the JVM calls. */
    Node interrupted() {
        Node above = Node.root(root);
        interruption = new Interruption(above, interruption);
        return above;
    }

    /** It is over, and so is what began after it and did not tell. */
    void resumed(Node root) {
        for (boolean found = false; !found && interruption != null; interruption = interruption.next) {
            Threads.interruption(interruption.root);
            found = interruption.root == root;
        }
    }

    /** By a final method: the program's own threads may override others, and take locks in them. */
    boolean ended() {
        return thread != null && !thread.isAlive();
    }
}
