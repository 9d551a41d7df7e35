import { actionCases } from "./actionCases.js"
import type { ChannelFixture } from "./ChannelFixture.js"
import type { ContractCase } from "./ContractCase.js"
import { checkCases } from "./checkCases.js"
import { contentCases } from "./contentCases.js"
import { declaredCases } from "./declaredCases.js"
import { echoCases } from "./echoCases.js"
import { engineCases } from "./engineCases.js"
import { errorCases } from "./errorCases.js"
import { fileCases } from "./fileCases.js"
import { handleCases } from "./handleCases.js"
import { messageCases } from "./messageCases.js"
import { ownServerCases } from "./ownServerCases.js"
import { pollCases } from "./pollCases.js"
import { receiptCases } from "./receiptCases.js"
import { secrecyCases } from "./secrecyCases.js"
import { sendCases } from "./sendCases.js"
import { settingsCases } from "./settingsCases.js"
import { signalCases } from "./signalCases.js"
import { signatureCases } from "./signatureCases.js"
import { textCases } from "./textCases.js"

/** All cases of the provider contract (docs/reference/provider-contract.md#the-provider-contract-kit). */
export const channelCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> =>
  [
    declaredCases,
    sendCases,
    errorCases,
    textCases,
    contentCases,
    handleCases,
    settingsCases,
    checkCases,
    signatureCases,
    messageCases,
    actionCases,
    fileCases,
    echoCases,
    signalCases,
    receiptCases,
    engineCases,
    ownServerCases,
    pollCases,
    secrecyCases
  ].flatMap((cases) => cases(fixture))
