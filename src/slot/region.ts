import { isUsCountry, stateCode } from './state.ts'

/**
 * The code by which a state or region is served and found: two letters in the US (see `stateCode()`), elsewhere ISO 3166-2, such as
 * `CA-ON`. `country`: of the address, as published. Undefined for a text that is neither: names of regions are known in the US and Canada
 * only.
 */
export function regionCode(text: string, country?: string): string | undefined {
  const state = isUsCountry(country) ? stateCode(text) : undefined
  if (state !== undefined) return state
  const plain = text.trim().toUpperCase()
  const { prefix = '', region } = ISO_FORM.exec(plain)?.groups ?? {}
  const code = countryCode(prefix === '' ? (country ?? '') : prefix.slice(0, -1))
  if (code === 'CA' && region === undefined) return PROVINCES.get(folded(plain))
  return region === undefined || code === undefined || isUsCountry(code) ? undefined : `${code}-${region}`
}

/** The code that a caller means: as `regionCode()`; a Canadian province by its code or name alone, because no state has such. */
export function askedRegionCode(text: string): string | undefined {
  const code = regionCode(text)
  if (code !== undefined) return code
  const plain = folded(text.trim().toUpperCase())
  return PROVINCES.get(plain) ?? PROVINCE_CODES.get(plain)
}

/** The country and the region of an ISO 3166-2 code; a state of the US has no country. */
export function splitRegion(code: string): { readonly state: string; readonly country?: string } {
  const [country, region] = code.split('-')
  return region === undefined ? { state: code } : { state: region, country }
}

const ISO_FORM = /^(?<prefix>(?:[A-Z]{2}-)?)(?<region>[A-Z0-9]{1,3})$/

/** The provinces and territories of Canada: ISO 3166-2 codes and names without accents. */
const CANADA =
  'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador,Newfoundland|NS Nova Scotia|' +
  'NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon,Yukon Territory'
const CANADIAN = CANADA.split('|').map((row) => ({ code: row.slice(0, 2), names: row.slice(3).split(',') }))

const PROVINCE_CODES: ReadonlyMap<string, string> = new Map(CANADIAN.map(({ code }) => [code, `CA-${code}`]))

const PROVINCES: ReadonlyMap<string, string> = new Map(
  CANADIAN.flatMap(({ code, names }) => names.map((name) => [name.toUpperCase(), `CA-${code}`] as const)),
)

/** Without accents: Québec. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

/** The alpha-2 code of a country: of its alpha-2 or alpha-3 code, or its English name. ISO 3166 reserves UK for the United Kingdom. */
function countryCode(text: string): string | undefined {
  const plain = text.trim().toUpperCase()
  if (ALPHA_2.has(plain)) return plain
  names ??= countryNames()
  return BY_ALPHA_3.get(plain) ?? names.get(plain)
}

let names: ReadonlyMap<string, string> | undefined

/** Codes by name in upper case. */
function countryNames(): ReadonlyMap<string, string> {
  const display = new Intl.DisplayNames('en', { type: 'region' })
  return new Map([...ALPHA_2].map((code) => [display.of(code)?.toUpperCase() ?? code, code])).set('UK', 'GB')
}

/** ISO 3166-1: alpha-3 and alpha-2. */
const COUNTRIES =
  'ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI ' +
  'BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT ' +
  'BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU ' +
  'CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET ' +
  'FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR ' +
  'GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR ' +
  'IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB ' +
  'LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH ' +
  'MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE ' +
  'NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL ' +
  'PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ ' +
  'SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC ' +
  'TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY ' +
  'USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW'

const BY_ALPHA_3: ReadonlyMap<string, string> = new Map(
  COUNTRIES.split(' ').map((codes) => [codes.slice(0, 3), codes.slice(3)]),
)
const ALPHA_2: ReadonlySet<string> = new Set(BY_ALPHA_3.values())
