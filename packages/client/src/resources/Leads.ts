import type { Answer } from "../Answer.js"
import type { CreateOptions } from "../ClientOptions.js"
import type { Lead, LeadInput } from "../Contract.js"
import type { Call } from "../transport/Call.js"

/** A contact's way through a pipeline (spec, Lead). */
export interface Leads {
  /** `POST /leads`: in the default pipeline and its first stage, unless others are named. */
  readonly create: (input: LeadInput, options?: CreateOptions) => Promise<Answer<Lead>>
}

export const leads = (call: Call): Leads => ({
  create: (input, options = {}) => call.post("/leads", input, options)
})
