import { type GraphFailure, graphProblem } from "@parley/meta-graph"
import { meaningOf } from "./Meaning.js"

const problem = graphProblem({
  token: "page_access_token",
  permissions:
    "pages_messaging and pages_manage_metadata, for Instagram also instagram_basic and instagram_manage_messages",
  meaningOf
})

/** What an operator has to do after a failed call. */
export const problemOf = (failure: GraphFailure): string =>
  problem(failure, "Meta does not know the page_id, or the page_access_token is not one of that Page.")
