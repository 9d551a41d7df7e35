import { botMutants } from "./botMutants.js"
import { enqueuedMutants } from "./enqueuedMutants.js"
import { inboundMutants } from "./inboundMutants.js"
import type { Mutant } from "./Mutant.js"
import { messageMutants } from "./messageMutants.js"
import { queueMutants } from "./queueMutants.js"
import { subscriptionMutants } from "./subscriptionMutants.js"
import { tenancyMutants } from "./tenancyMutants.js"
import { webhookMutants } from "./webhookMutants.js"

/** All mutants. */
export const mutants: ReadonlyArray<Mutant> = [
  ...messageMutants,
  ...queueMutants,
  ...webhookMutants,
  ...subscriptionMutants,
  ...enqueuedMutants,
  ...inboundMutants,
  ...botMutants,
  ...tenancyMutants
]
