/** The most slots that a CSV file of Explore has. */
export const EXPLORE_CSV_ROWS_MAX = 50_000
