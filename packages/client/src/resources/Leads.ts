import type { Answer } from "../Answer.js"
import type { CreateOptions } from "../ClientOptions.js"
import type { Lead, LeadInput } from "../Contract.js"
import type { Call } from "../transport/Call.js"

/** Contacts in the stages of pipelines (docs/reference/leads.md#lead-fields). */
export interface Leads {
  /** `POST /leads`. Default: the first stage of the default pipeline. */
  readonly create: (input: LeadInput, options?: CreateOptions) => Promise<Answer<Lead>>
}

export const leads = (call: Call): Leads => ({
  create: (input, options = {}) => call.post("/leads", input, options)
})
