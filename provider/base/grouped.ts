/** The items by a key of each, in their order. */
export function grouped<T, K>(all: Iterable<T>, keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) append(groups, keyOf(each), each);
  return groups;
}

/** Adds an item to the group of a key. */
export function append<K, T>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
