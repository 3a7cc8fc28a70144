package proofmark.suite.collections;

import java.util.function.Consumer;

/** A hash table with chains; keys keep the same hash from run to run, so the order of values does too. */
public final class Table<K, V> {
    private static final int FIRST_CAPACITY = 16;

    private Entry<K, V>[] chains = newChains(FIRST_CAPACITY);
    private int size;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, V> Entry<K, V>[] newChains(int length) {
        return new Entry[length];
    }

    /** How many keys there are. */
    public int size() {
        return size;
    }

    /** The value of a key; null when there is none. */
    public V get(K key) {
        Entry<K, V> entry = find(key, spread(key));
        return entry == null ? null : entry.value;
    }

    /** Sets the value of a key. */
    public void put(K key, V value) {
        int hash = spread(key);
        Entry<K, V> entry = find(key, hash);
        if (entry != null) {
            entry.value = value;
            return;
        }
        if (size == chains.length) {
            grow();
        }
        insert(new Entry<>(key, hash, value));
        size++;
    }

    /** Gives every value to {@code action}, chain by chain. */
    public void forEachValue(Consumer<? super V> action) {
        for (Entry<K, V> chain : chains) {
            for (Entry<K, V> entry = chain; entry != null; entry = entry.next) {
                action.accept(entry.value);
            }
        }
    }

    private static int spread(Object key) {
        int hash = key.hashCode();
        return hash ^ hash >>> 16;
    }

    private Entry<K, V> find(K key, int hash) {
        Entry<K, V> entry = chains[hash & chains.length - 1];
        while (entry != null && !(entry.hash == hash && entry.key.equals(key))) {
            entry = entry.next;
        }
        return entry;
    }

    private void insert(Entry<K, V> entry) {
        int chain = entry.hash & chains.length - 1;
        entry.next = chains[chain];
        chains[chain] = entry;
    }

    private void grow() {
        Entry<K, V>[] old = chains;
        chains = newChains(2 * old.length);
        for (Entry<K, V> chain : old) {
            Entry<K, V> entry = chain;
            while (entry != null) {
                Entry<K, V> rest = entry.next;
                insert(entry);
                entry = rest;
            }
        }
    }

    /** A key, its hash and its value, in a chain. */
    private static final class Entry<K, V> {
        private final K key;
        private final int hash;
        private V value;
        private Entry<K, V> next;

        Entry(K key, int hash, V value) {
            this.key = key;
            this.hash = hash;
            this.value = value;
        }
    }
}
