package proofmark.suite.collections;

/**
 * A map in the order of its keys: a red-black tree (R. Bayer 1972; L. Guibas, R. Sedgewick 1978) with insertion and
 * lookup.
 */
public final class RedBlackTree<K extends Comparable<K>, V> {
    private Node<K, V> root;

    /** The value of a key; null when there is none. */
    public V get(K key) {
        Node<K, V> node = root;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) {
                return node.value;
            }
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    /** Sets the value of a key; returns the value it had, or null. */
    public V put(K key, V value) {
        Node<K, V> parent = null;
        Node<K, V> node = root;
        int order = 0;
        while (node != null) {
            order = key.compareTo(node.key);
            if (order == 0) {
                return node.replace(value);
            }
            parent = node;
            node = order < 0 ? node.left : node.right;
        }
        Node<K, V> added = new Node<>(key, value, parent);
        attach(added, parent, order < 0);
        balance(added);
        return null;
    }

    private void attach(Node<K, V> node, Node<K, V> parent, boolean left) {
        if (parent == null) {
            root = node;
        } else if (left) {
            parent.left = node;
        } else {
            parent.right = node;
        }
    }

    /** Removes a red node below a red one by recolouring upwards and at most two rotations. */
    private void balance(Node<K, V> added) {
        Node<K, V> node = added;
        while (node.parent != null && node.parent.red) {
            Node<K, V> grandparent = node.parent.parent;
            boolean onLeft = grandparent.left == node.parent;
            Node<K, V> uncle = onLeft ? grandparent.right : grandparent.left;
            if (uncle != null && uncle.red) {
                node.parent.red = false;
                uncle.red = false;
                grandparent.red = true;
                node = grandparent;
            } else {
                node = straighten(node, onLeft);
                node.parent.red = false;
                grandparent.red = true;
                rotate(grandparent, !onLeft);
            }
        }
        root.red = false;
    }

    /** Makes node and parent lie on the same side; returns the lower of the two. */
    private Node<K, V> straighten(Node<K, V> node, boolean onLeft) {
        Node<K, V> parent = node.parent;
        boolean inside = node == (onLeft ? parent.right : parent.left);
        if (!inside) {
            return node;
        }
        rotate(parent, onLeft);
        return parent;
    }

    /** Moves {@code node} down to the left or to the right, and the other child up into its place. */
    private void rotate(Node<K, V> node, boolean toLeft) {
        Node<K, V> child = toLeft ? node.right : node.left;
        Node<K, V> inner = toLeft ? child.left : child.right;
        Node<K, V> parent = node.parent;
        attach(child, parent, parent != null && parent.left == node);
        child.parent = parent;
        node.parent = child;
        if (inner != null) {
            inner.parent = node;
        }
        if (toLeft) {
            node.right = inner;
            child.left = node;
        } else {
            node.left = inner;
            child.right = node;
        }
    }

    /** A key and its value in the tree. */
    private static final class Node<K, V> {
        private final K key;
        private V value;
        private Node<K, V> parent;
        private Node<K, V> left;
        private Node<K, V> right;
        private boolean red = true;

        Node(K key, V value, Node<K, V> parent) {
            this.key = key;
            this.value = value;
            this.parent = parent;
        }

        V replace(V newValue) {
            V old = value;
            value = newValue;
            return old;
        }
    }
}
