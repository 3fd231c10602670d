/** The comparison operators of conditions that are seen in practice. */
export const comparisonOps = ["GT", "GEQ", "LT", "LEQ", "EQ", "NEQ", "EXISTS", "NOT_EXISTS"];
