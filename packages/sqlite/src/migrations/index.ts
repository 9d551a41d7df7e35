import { initial } from "./0001_initial.js"
import { publicInterface } from "./0002_public_interface.js"
import { lists } from "./0003_lists.js"
import { administration } from "./0004_administration.js"
import { channels } from "./0005_channels.js"
import { automations } from "./0006_automations.js"
import { listsByCommit } from "./0007_lists_by_commit.js"
import { jobFailures } from "./0008_job_failures.js"
import { sealedUrls } from "./0009_sealed_urls.js"
import { accounts } from "./0010_accounts.js"
import { messageContent } from "./0011_message_content.js"
import { templateParts } from "./0012_template_parts.js"
import { uploads } from "./0013_uploads.js"
import { exactData } from "./0014_exact_data.js"
import { vendorJson } from "./0015_vendor_json.js"
import { agentAvatars } from "./0016_agent_avatars.js"
import { vendorTimes } from "./0017_vendor_times.js"
import { orderOfDeliveries } from "./0018_order_of_deliveries.js"
import { botReasons } from "./0019_bot_reasons.js"
import { failedMessages } from "./0020_failed_messages.js"

/** Every migration by its number and name. */
export const migrations = {
  "0001_initial": initial,
  "0002_public_interface": publicInterface,
  "0003_lists": lists,
  "0004_administration": administration,
  "0005_channels": channels,
  "0006_automations": automations,
  "0007_lists_by_commit": listsByCommit,
  "0008_job_failures": jobFailures,
  "0009_sealed_urls": sealedUrls,
  "0010_accounts": accounts,
  "0011_message_content": messageContent,
  "0012_template_parts": templateParts,
  "0013_uploads": uploads,
  "0014_exact_data": exactData,
  "0015_vendor_json": vendorJson,
  "0016_agent_avatars": agentAvatars,
  "0017_vendor_times": vendorTimes,
  "0018_order_of_deliveries": orderOfDeliveries,
  "0019_bot_reasons": botReasons,
  "0020_failed_messages": failedMessages
}

/** The schema version after all migrations. */
export const schemaVersion = Object.keys(migrations).length
