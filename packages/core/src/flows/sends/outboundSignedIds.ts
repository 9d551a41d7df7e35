import type { Connection } from "../../model/Connection.js"
import type { Message } from "../../model/Message.js"
import type { OutboundSignedIds } from "../../ports/ChannelProvider.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { isMarketingOn } from "../../resources/messages/optOutProblems.js"
import { signedId } from "../../resources/messages/signedId.js"
import { httpsUrl } from "./outboundFiles.js"

/**
 * The signed ids of a message. Only marketing has a URL to unsubscribe, and only a question one to choose, below an
 * https `publicUrl`: mail programs post to no other (RFC 8058, 3.1). The id is in the query, which is not logged.
 */
export const outboundSignedIds = (
  secretBox: Pick<SecretBox, "sign">,
  publicUrl: string | null,
  connection: Connection,
  message: Message
): OutboundSignedIds => {
  const { content, id } = message
  const unsubscribe = signedId(secretBox, "unsubscribe", id)
  const base = httpsUrl(publicUrl)
  return {
    report: signedId(secretBox, "report", id),
    unsubscribe,
    unsubscribeUrl:
      isMarketingOn(connection, message) && base !== null ? `${base}/unsubscribe?id=${unsubscribe}` : null,
    chooseUrl:
      content?.type === "choices" && base !== null ? `${base}/choose?id=${signedId(secretBox, "choose", id)}` : null
  }
}
