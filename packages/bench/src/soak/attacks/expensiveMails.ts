import { expensiveMails as mails, type PostedMail } from "../../world/expensiveMails.js"
import { mailConnectionId, mailSecret } from "../../world/seedSoak.js"
import { type Attack, flood, requester } from "./Attack.js"

/** Twelve mails a minute: as many as a mail service takes of a stranger before it defers them. */
const perSecond = 0.2
const bytes = 2_000_000

/** Mails of a customer, posted by the mail service with the right secret, that are built to be expensive. */
export const expensiveMails: Attack = (context) => {
  const send = requester(context)
  const all = mails(bytes)
  let next = 0
  return flood(context, perSecond, () => {
    const { body, type } = all[next++ % all.length] as PostedMail
    return send({
      method: "POST",
      path: `/inbound/${mailConnectionId}`,
      headers: { "content-type": type, authorization: `Bearer ${mailSecret}` },
      body
    })
  })
}
