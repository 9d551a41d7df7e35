import type { ProviderAnswer, ProviderRequest } from "@parley/core"
import { fieldsOf, textIn } from "./fields.js"

/**
 * Answers the press of a button by a call of `answerCallbackQuery` in the response, so that the customer's app ends its
 * progress bar; null for other updates (docs/reference/telegram.md#webhook-request).
 */
export const answerCallback = ({ body }: Pick<ProviderRequest, "body">): ProviderAnswer | null => {
  const text = new TextDecoder().decode(body)
  // Cheap for all other updates.
  if (!text.includes('"callback_query"')) return null
  const callback_query_id = textIn(fieldsOf(fieldsOf(JSON.parse(text)).callback_query), "id")
  return callback_query_id === null
    ? null
    : {
        status: 200,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ method: "answerCallbackQuery", callback_query_id })
      }
}
