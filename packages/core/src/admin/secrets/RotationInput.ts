import { Schema } from "effect"
import { draft } from "../../input/Draft.js"
import { optionalText } from "../../input/Fields.js"

/** The body of `POST /secrets/rotate`: where the step before ended; left out, it begins at the beginning. */
export const RotationInput = Schema.Struct({ cursor: optionalText(1_000) }).annotations({ identifier: "RotationInput" })
export type RotationInput = typeof RotationInput.Type

export const rotationDraft = draft(RotationInput)
