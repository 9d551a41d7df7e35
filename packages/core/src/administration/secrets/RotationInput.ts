import { optionalText } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { component, field } from "../../kernel/input/wire.js"

/** The body of `POST /secrets/rotate`: where the step before ended; left out, it begins at the beginning. */
export const RotationInput = component(
  "RotationInput",
  "Position of the next step.",
  {
    cursor: field(optionalText(1_000), {
      description: "Cursor of the previous step. Default: the beginning."
    })
  },
  { example: {} }
)
export type RotationInput = typeof RotationInput.Type

export const decodeRotationInput = partialDecode(RotationInput)
