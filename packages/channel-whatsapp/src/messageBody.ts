import type { OutboundMessage } from "@parley/core"

/**
 * The request body of a message (docs/reference/whatsapp.md#send-request). Statuses return `biz_opaque_callback_data`,
 * so that a message whose answer was lost is still recognised.
 */
export const messageBody = ({ body, id, template, to }: OutboundMessage): object => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  // With the plus: without it, Meta may read the number as one of the business's own country.
  ...(to.startsWith("+") ? { to } : { recipient: to }),
  ...(template === null
    ? { type: "text", text: { body, preview_url: false } }
    : { type: "template", template: templateBody(template) }),
  biz_opaque_callback_data: id
})

const templateBody = ({ language, name, variables }: NonNullable<OutboundMessage["template"]>): object => ({
  name,
  language: { code: language },
  ...(variables.length === 0
    ? {}
    : { components: [{ type: "body", parameters: variables.map((text) => ({ type: "text", text })) }] })
})
