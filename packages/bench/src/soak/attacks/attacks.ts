import type { Attack } from "./Attack.js"
import { chatFlood, streamChurn } from "./chatFlood.js"
import { connectionChurn } from "./connectionChurn.js"
import { expensiveMails } from "./expensiveMails.js"
import { foreignHosts } from "./foreignHosts.js"
import { forgedInbound } from "./forgedInbound.js"
import { forgedUnsubscribes } from "./forgedUnsubscribes.js"
import { hangingEndpoints } from "./hangingEndpoints.js"
import { largeBodiesOfStranger, largeBodiesOfTenant } from "./largeBodies.js"
import { mediaRanges } from "./mediaRanges.js"
import type { AttackName } from "./names.js"
import { silentBodies } from "./silentBodies.js"
import { slowHeaders } from "./slowHeaders.js"
import { wrongCredentials } from "./wrongCredentials.js"

/** All attacks, by name. */
export const attacks: { readonly [N in AttackName]: Attack } = {
  "silent-bodies": silentBodies,
  "slow-headers": slowHeaders,
  "wrong-credentials": wrongCredentials,
  "large-bodies": largeBodiesOfStranger,
  "large-bodies-of-tenant": largeBodiesOfTenant,
  "chat-flood": chatFlood,
  "stream-churn": streamChurn,
  "hanging-endpoints": hangingEndpoints,
  "forged-inbound": forgedInbound,
  "expensive-mails": expensiveMails,
  "forged-unsubscribes": forgedUnsubscribes,
  "foreign-hosts": foreignHosts,
  "media-ranges": mediaRanges,
  "connection-churn": connectionChurn
}
