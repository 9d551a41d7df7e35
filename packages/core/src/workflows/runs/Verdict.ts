import { Data } from "effect"
import type { Instant } from "../../Instant.js"
import type { Pending } from "./Run.js"

/** What an action that takes its time has come to. Details are for a person; `attempts`: how often it was tried, by default once. */
export type Verdict = Data.TaggedEnum<{
  Done: { readonly detail: string; readonly attempts?: number }
  Failed: { readonly detail: string; readonly attempts?: number }
  /** It is looked at again at that moment. */
  Later: { readonly at: Instant; readonly pending: Pending }
}>
export const Verdict = Data.taggedEnum<Verdict>()
