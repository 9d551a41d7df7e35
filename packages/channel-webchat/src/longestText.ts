/** The longest text in either direction, in Unicode code points. */
export const longestText = 4_096

/** The longest body of a request in bytes: the longest text in four-byte characters, twice. */
export const longestBody = 32 * 1_024
