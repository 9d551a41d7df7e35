import { type GraphFailure, graphProblem } from "@parley/meta-graph"
import { meaningOf } from "./Meaning.js"

const problem = graphProblem({
  token: "access_token",
  permissions: "whatsapp_business_messaging and whatsapp_business_management",
  meaningOf
})

/** What an operator has to do after a failed call. */
export const problemOf = (failure: GraphFailure, object: "phone_number_id" | "business_account_id"): string =>
  problem(failure, `Meta does not know the ${object}, or the access_token's user is not assigned to it.`)
