import { Schema } from "effect"
import { requiredText } from "./Fields.js"

/**
 * Whether something can be found by what a vendor calls it (the id of a message, the name or the language of a template):
 * text of 1 to 512 characters that can be stored.
 */
export const isVendorKey: (text: string) => boolean = Schema.is(requiredText(512))
