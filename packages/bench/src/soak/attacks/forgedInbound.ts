import { randomUUID } from "node:crypto"
import { inboundConnectionId, mailConnectionId } from "../../world/seedSoak.js"
import { webhookBody } from "../../world/whatsappTraffic.js"
import { type Attack, flood, requester } from "./Attack.js"

const perSecond = 40

const mail = `From: ada@customer.example\r\nTo: hello@bakery.example\r\nSubject: Order\r\n\r\n${"> quoted\r\n".repeat(10_000)}`

/** Webhooks and mail of 100 kB with a wrong signature, a wrong secret, or none. */
export const forgedInbound: Attack = (context) => {
  const send = requester(context)
  const forged = (connection: string, headers: Readonly<Record<string, string>>, body: string) =>
    send({ method: "POST", path: `/inbound/${connection}`, headers, body })
  const webhook = () => webhookBody(`wamid.forged.${randomUUID()}`, "4915112345678")
  const json = { "content-type": "application/json" }
  const rfc822 = { "content-type": "message/rfc822" }
  const signature = `sha256=${"0".repeat(64)}`
  const kinds = [
    () => forged(inboundConnectionId, { ...json, "x-hub-signature-256": signature }, webhook()),
    () => forged(inboundConnectionId, json, webhook()),
    () => forged(mailConnectionId, { ...rfc822, "x-parley-signature": signature }, mail),
    () => forged(mailConnectionId, { ...rfc822, authorization: `Bearer ${randomUUID()}` }, mail),
    () => forged(randomUUID(), json, webhook())
  ]
  let next = 0
  return flood(context, perSecond, () => (kinds[next++ % kinds.length] as () => Promise<unknown>)())
}
