/**
 * @typedef {object} Row
 * @property {string} name what was measured; ratios have no unit
 * @property {number | null} value null if it could not be measured
 * @property {number} bound the largest value allowed; if the name says "exactly", the only value allowed
 * @property {boolean | null} holds null away from the sizes that the bound is for
 *
 * @typedef {object} Result what a bench, or a part of one, has found
 * @property {readonly Row[]} rows
 * @property {readonly string[]} tables
 * @property {readonly Point[]} [points] for the plot
 *
 * @typedef {{ series: string, resources: number, seconds: number }} Point
 */

/**
 * @param {string} name
 * @param {number | undefined} value
 * @param {number} bound
 * @param {{ isDefault: boolean }} at
 * @returns {Row}
 */
export const atMost = (name, value, bound, { isDefault }) => ({
  name,
  value: value === undefined ? null : rounded(value),
  bound,
  holds: isDefault && value !== undefined ? value <= bound : null,
});

/**
 * A count that must be right in every round. The row shows a wrong value if there is one.
 * @param {string} name
 * @param {readonly number[]} values
 * @param {number} bound
 * @param {{ isDefault: boolean }} at
 * @returns {Row}
 */
export function exactly(name, values, bound, { isDefault }) {
  const value = values.find((each) => each !== bound) ?? bound;
  return { name: `${name}, exactly`, value: rounded(value), bound, holds: isDefault ? value === bound : null };
}

/** @param {readonly Result[]} results @returns {Required<Result>} */
export const merged = (results) => ({
  rows: results.flatMap(({ rows }) => rows),
  tables: results.flatMap(({ tables }) => tables),
  points: results.flatMap(({ points = [] }) => points),
});

/** @param {number} value */
const rounded = (value) => Number(value.toFixed(3));
