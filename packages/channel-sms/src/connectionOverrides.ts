/**
 * Twilio's connection overrides, given as the fragment of a URL: 5 retries after any failure. By default it retries
 * once, and only if it cannot connect (docs/reference/sms.md#missed-messages).
 */
const overrides = "#rc=5&rp=all"

/** The URL as it is registered at Twilio. */
export const withConnectionOverrides = (url: string): string => url + overrides

/** The URL that Twilio calls for a registered one. */
export const withoutConnectionOverrides = (url: string): string =>
  url.endsWith(overrides) ? url.slice(0, -overrides.length) : url
