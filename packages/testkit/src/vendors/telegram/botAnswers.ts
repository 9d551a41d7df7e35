import type { VendorAnswer } from "../VendorServer.js"

/** An error response of the Bot API: the status is its code. */
export interface BotErrorAnswer {
  readonly code: number
  /** For example `Bad Request: chat not found`. */
  readonly description: string
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number }
}

export const botError = ({ code, description, parameters }: BotErrorAnswer): VendorAnswer => ({
  status: code,
  body: { ok: false, error_code: code, description, ...(parameters === undefined ? {} : { parameters }) }
})

export const badRequest = (what: string): VendorAnswer => botError({ code: 400, description: `Bad Request: ${what}` })

export const notFound: VendorAnswer = botError({ code: 404, description: "Not Found" })

export const unauthorized: VendorAnswer = botError({ code: 401, description: "Unauthorized" })

export const result = (result: unknown): VendorAnswer => ({ status: 200, body: { ok: true, result } })
