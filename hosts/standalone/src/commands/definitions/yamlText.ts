import { Document, Scalar, visit } from "yaml"
import { isActing } from "../printable.js"

/** A value as YAML that still says the same once it was printed: what is printed as an escape stands in quotes. */
export const yamlText = (value: unknown): string => {
  const document = new Document(value)
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && isActing(node.value)) node.type = Scalar.QUOTE_DOUBLE
    }
  })
  return document.toString({ lineWidth: 100 }).trimEnd()
}
