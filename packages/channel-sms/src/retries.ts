/**
 * Twilio's settings for the requests to a URL, as its fragment: 5 retries, after any failure. By default it retries
 * once, and only if it cannot connect (docs/reference/sms.md#missed-messages).
 */
const retries = "#rc=5&rp=all"

/** The URL as it is registered at Twilio. */
export const withRetries = (url: string): string => url + retries

/** The URL that Twilio calls for a registered one. */
export const withoutRetries = (url: string): string => (url.endsWith(retries) ? url.slice(0, -retries.length) : url)
