import type { VendorAnswer } from "../VendorServer.js"

/** An error response of the Graph API. */
export interface GraphErrorAnswer {
  readonly code: number
  /** Default: 400. */
  readonly status?: number
  readonly subcode?: number
  readonly message?: string
  readonly details?: string
  readonly isTransient?: boolean
  readonly headers?: { readonly [name: string]: string }
}

export const graphError = ({
  code,
  details,
  headers = {},
  isTransient,
  message = `(#${code}) Refused`,
  status = 400,
  subcode
}: GraphErrorAnswer): VendorAnswer => ({
  status,
  headers,
  body: {
    error: {
      message,
      type: "OAuthException",
      code,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      ...(isTransient === undefined ? {} : { is_transient: isTransient }),
      ...(details === undefined ? {} : { error_data: { messaging_product: "whatsapp", details } }),
      fbtrace_id: "Az8or2yhqkZfEZ-_4Qn_Bam"
    }
  }
})

export const ok = (body: unknown): VendorAnswer => ({ status: 200, body })

/** Meta's error for an unreadable token, which repeats the token. */
export const badToken = (token: string): VendorAnswer =>
  graphError({ code: 190, status: 401, message: `Malformed access token ${token}` })

export const noSuchObject = (id: string): VendorAnswer =>
  graphError({
    code: 100,
    subcode: 33,
    message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions`
  })

/** Of a media id that was never given, has expired or belongs to another number. */
export const unknownMedia = (parameter: string): VendorAnswer =>
  graphError({
    code: 100,
    message: `(#100) Param ${parameter} is not a valid whatsapp business account media attachment ID`
  })

export const badParameter = (details: string): VendorAnswer =>
  graphError({ code: 100, message: "(#100) Invalid parameter", details })
