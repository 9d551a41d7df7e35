/**
 * A URL for logs and notifications: the values of its query and its user and password are replaced by `…`, since
 * receivers often have secrets there.
 */
export const maskedUrl = (url: string): string =>
  url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1…@").replace(/([?&][^=&#]*=)[^&#]+/g, "$1…")
