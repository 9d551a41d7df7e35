import { Document, Scalar, visit } from "yaml"
import { isActing } from "../printable.js"

/** A value as YAML that is unchanged by printing: text with characters that are printed as escapes is quoted. */
export const yamlText = (value: unknown): string => {
  const document = new Document(value)
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && isActing(node.value)) node.type = Scalar.QUOTE_DOUBLE
    }
  })
  return document.toString({ lineWidth: 100 }).trimEnd()
}
