import { failureReason } from "./failureReason.js"
import type { GraphFailure } from "./GraphApi.js"
import { codesOf } from "./GraphError.js"
import { meaningOf } from "./Meaning.js"

/** What an operator does about a failed call, in our own words: Meta's may repeat what was sent. */
export const problemOf = (failure: GraphFailure): string => {
  if (failure._tag !== "Refused" || failure.error === null) {
    return `Meta could not be asked: ${failureReason(failure)}.`
  }
  const { error, status } = failure
  const meaning = meaningOf(error, status)
  if (error.code === 190 || (status === 401 && meaning.kind === "rejected")) {
    return "Meta does not take the page_access_token: it is wrong, was withdrawn or has expired. Make a new one."
  }
  if (error.code === 100 && error.message.includes("appsecret_proof")) {
    return "The app_secret is not that of the app which the page_access_token was made for."
  }
  if (error.code === 10 || error.code === 3 || (error.code >= 200 && error.code <= 299)) {
    return "The page_access_token lacks a permission: it needs pages_messaging and pages_manage_metadata, for Instagram also instagram_basic and instagram_manage_messages."
  }
  if (error.code === 100) {
    return "Meta does not know the page_id, or the page_access_token is not one of that Page."
  }
  return meaning.kind === "rejected"
    ? `Meta refused with error ${codesOf(error)}. ${meaning.words}`
    : `Meta cannot answer for now: ${failureReason(failure)}. Try again later.`
}
