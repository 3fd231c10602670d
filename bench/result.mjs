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
 */

/**
 * @param {string} name
 * @param {number | undefined} value
 * @param {number} bound
 * @returns {Row}
 */
export const atMost = (name, value, bound) =>
  value === undefined
    ? { name, value: null, bound, holds: null }
    : { name, value: rounded(value), bound, holds: value <= bound };

/**
 * A count that must be right in every round. The row shows a wrong value if there is one.
 * @param {string} name
 * @param {readonly number[]} values
 * @param {number} bound
 * @returns {Row}
 */
export function exactly(name, values, bound) {
  const value = values.find((each) => each !== bound) ?? bound;
  return { name: `${name}, exactly`, value: rounded(value), bound, holds: value === bound };
}

/** @param {readonly Result[]} results @returns {Result} */
export const merged = (results) => ({
  rows: results.flatMap(({ rows }) => rows),
  tables: results.flatMap(({ tables }) => tables),
});

/** @param {number} value */
const rounded = (value) => Number(value.toFixed(3));
