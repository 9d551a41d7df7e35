import { Data } from "effect"
import type { Instant } from "../../../model/Instant.js"
import type { Pending } from "../../../model/Run.js"

/** The state of an action that may wait. `detail`: an English text. `attempts`: number of tries, default 1. */
export type ActionState = Data.TaggedEnum<{
  Done: { readonly detail: string; readonly attempts?: number }
  Failed: { readonly detail: string; readonly attempts?: number }
  /** Still waiting: checked again at `at`. */
  Later: { readonly at: Instant; readonly pending: Pending }
}>
export const ActionState = Data.taggedEnum<ActionState>()
