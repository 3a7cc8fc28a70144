package proofmark.count;

/** A calling-context tree. */
interface Tree {
    /** Sees all contexts but the root in preorder; a recursion could be too deep. */
    interface Visitor {
        /** A context: its depth counted from 0, its method, its own bytecodes and samples. */
        void visit(int depth, int id, long count, long samples);
    }

    void each(Visitor visitor);
}
