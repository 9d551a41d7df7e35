/** The maximum length of a text in either direction, in Unicode code points. */
export const maxTextLength = 4_096

/** The maximum size of a request body in bytes: twice the longest text in four-byte characters. */
export const maxBodyBytes = 32 * 1_024
