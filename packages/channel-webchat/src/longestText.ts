/** The longest text in either direction, in Unicode code points. */
export const longestText = 4_096
