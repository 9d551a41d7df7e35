import type { ChoiceLimits } from "@parley/core"

/** The limits of a question with options, of our own. */
export const choiceLimits: ChoiceLimits = { options: 20, titleLength: 80, idLength: 200, descriptionLength: 200 }
