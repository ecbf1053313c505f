/** The most days of usage in one response of the dashboard API. */
export const USAGE_DAYS_MAX = 92
