import { Schema } from "effect"
import { requiredText } from "./Fields.js"

/**
 * Whether a vendor's identifier (a message id, a template's name or language) can be stored and looked up: text of 1 to
 * 512 characters.
 */
export const isVendorKey: (text: string) => boolean = Schema.is(requiredText(512))
