/** One of several jobs that share the teams: the third of eight is `3/8`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** @throws if it does not look like `3/8`. */
export function parseShard(text: string): Shard {
  const [, index = 0, of = 0] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index < 1 || index > of)
    throw new Error(`a shard looks like 3/8: its number, from 1, and the number of all shards`);
  return { index, of };
}

export const formatShard = ({ index, of }: Shard): string => `${index}/${of}`;

/** The shard's part of a sorted list. Every item is in exactly one shard, and no shard has two items more than another. */
export const shardOf = <T>(items: readonly T[], { index, of }: Shard): T[] =>
  items.filter((_, at) => at % of === index - 1);
