import type { OutboundMessage } from "@parley/core"

/**
 * A message as Meta takes it (channels.md). `biz_opaque_callback_data` comes back with its statuses, so that a send whose answer
 * was lost is still recognised.
 */
export const messageBody = ({ body, id, template, to }: OutboundMessage): object => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  // With its plus: without, Meta may take the number for one of the business's own country.
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
