import type { VendorAnswer } from "../VendorServer.js"

/** An error response of Twilio's API. */
export interface TwilioErrorAnswer {
  readonly code: number
  /** Default: 400. */
  readonly status?: number
  readonly message?: string
  readonly headers?: { readonly [name: string]: string }
}

export const twilioError = ({
  code,
  headers = {},
  message = `Error ${code}`,
  status = 400
}: TwilioErrorAnswer): VendorAnswer => ({
  status,
  headers,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }
})
