import { failureReason } from "./failureReason.js"
import type { GraphFailure } from "./GraphApi.js"
import { meaningOf } from "./Meaning.js"

/** What an operator does about a failed call, in our own words: Meta's may repeat what was sent. */
export const problemOf = (failure: GraphFailure, object: "phone_number_id" | "business_account_id"): string => {
  if (failure._tag !== "Refused" || failure.error === null) {
    return `WhatsApp could not be asked: ${failureReason(failure)}.`
  }
  const { error, status } = failure
  if (error.code === 190 || error.code === 0 || (status === 401 && meaningOf(error, status).kind === "rejected")) {
    return "Meta does not take the access_token: it is wrong, was withdrawn or has expired. Make a new one."
  }
  if (error.code === 100 && error.message.includes("appsecret_proof")) {
    return "The app_secret is not that of the app which the access_token was made for."
  }
  if (error.code === 10 || error.code === 3 || (error.code >= 200 && error.code <= 299)) {
    return "The access_token lacks a permission: it needs whatsapp_business_messaging and whatsapp_business_management."
  }
  if (error.code === 100 || error.code === 33) {
    return `Meta does not know the ${object}, or the access_token's user is not assigned to it.`
  }
  const meaning = meaningOf(error, status)
  return meaning.kind === "rejected"
    ? `Meta refused with error ${error.code}. ${meaning.words}`
    : `Meta cannot answer for now: ${failureReason(failure)}. Try again later.`
}
