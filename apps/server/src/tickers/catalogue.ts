import { coinOf } from '@tradewright/core/ticker-kind'

interface CatalogueEntry {
  readonly ticker: string
  readonly name: string
  /** The year in which its trading or its observations began, where that is certain. */
  readonly sinceYear: number | undefined
}

/** `TICKER year name`, a dash where the year is left open. The first ones are what most people ask for. */
const ENTRIES = `
SPY 1993 S&P 500 ETF
VTI 2001 US total market ETF
QQQ 1999 Nasdaq-100 ETF
AGG 2003 US aggregate bond ETF
TLT 2002 20+ year Treasury ETF
GLD 2004 Gold ETF
IEF 2002 7-10 year Treasury ETF
SHY 2002 1-3 year Treasury ETF
VOO 2010 Vanguard S&P 500 ETF
IVV 2000 iShares Core S&P 500 ETF
VT 2008 Vanguard Total World Stock ETF
VXUS 2011 Vanguard Total International Stock ETF
VEA 2007 Vanguard Developed Markets ETF
VWO 2005 Vanguard Emerging Markets ETF
BND 2007 Vanguard Total Bond Market ETF
BNDX 2013 Vanguard Total International Bond ETF
BSV 2007 Vanguard Short-Term Bond ETF
BIV 2007 Vanguard Intermediate-Term Bond ETF
BLV 2007 Vanguard Long-Term Bond ETF
VGSH 2009 Vanguard Short-Term Treasury ETF
VGIT 2009 Vanguard Intermediate-Term Treasury ETF
VGLT 2009 Vanguard Long-Term Treasury ETF
EDV 2007 Vanguard Extended Duration Treasury ETF
ZROZ 2009 PIMCO 25+ Year Zero Coupon Treasury ETF
GOVT 2012 iShares US Treasury Bond ETF
IWM 2000 US small companies ETF
IJR 2000 iShares Core S&P Small-Cap ETF
IJS 2000 iShares S&P Small-Cap 600 Value ETF
VBR 2004 Vanguard Small-Cap Value ETF
VB 2004 Vanguard Small-Cap ETF
VO 2004 Vanguard Mid-Cap ETF
VTV 2004 Vanguard Value ETF
VUG 2004 Vanguard Growth ETF
VIG 2006 Vanguard Dividend Appreciation ETF
VYM 2006 Vanguard High Dividend Yield ETF
SCHD 2011 Schwab US Dividend Equity ETF
DIA 1998 Dow Jones Industrial Average ETF
MDY 1995 S&P MidCap 400 ETF
RSP 2003 S&P 500 equal weight ETF
MTUM 2013 iShares MSCI USA Momentum Factor ETF
QUAL 2013 iShares MSCI USA Quality Factor ETF
USMV 2011 iShares MSCI USA Minimum Volatility ETF
AVUV 2019 Avantis US Small Cap Value ETF
EFA 2001 Developed markets ETF
EEM 2003 Emerging markets ETF
EWJ 1996 iShares MSCI Japan ETF
FXI 2004 iShares China Large-Cap ETF
VGK 2005 Vanguard FTSE Europe ETF
VNQ 2004 US real estate ETF
VNQI 2010 Vanguard Global ex-US Real Estate ETF
LQD 2002 Investment-grade corporate bond ETF
HYG 2007 High-yield corporate bond ETF
JNK 2007 SPDR Bloomberg High Yield Bond ETF
TIP 2003 Inflation-protected Treasury ETF
VTIP 2012 Vanguard Short-Term Inflation-Protected Securities ETF
EMB 2007 iShares J.P. Morgan USD Emerging Markets Bond ETF
MUB 2007 iShares National Muni Bond ETF
BIL 2007 1-3 month T-bill ETF
SGOV 2020 iShares 0-3 Month Treasury Bond ETF
SHV 2007 iShares Short Treasury Bond ETF
IAU 2005 iShares Gold Trust
SLV 2006 iShares Silver Trust
DBC 2006 Commodities ETF
GSG 2006 iShares S&P GSCI Commodity ETF
PDBC 2014 Invesco Optimum Yield Diversified Commodity Strategy ETF
USO 2006 United States Oil Fund
DBMF 2019 iMGP DBi Managed Futures Strategy ETF
XLB 1998 Materials sector ETF
XLC 2018 Communication services sector ETF
XLE 1998 Energy sector ETF
XLF 1998 Financials sector ETF
XLI 1998 Industrials sector ETF
XLK 1998 Technology sector ETF
XLP 1998 Consumer staples sector ETF
XLRE 2015 Real estate sector ETF
XLU 1998 Utilities sector ETF
XLV 1998 Health care sector ETF
XLY 1998 Consumer discretionary sector ETF
SMH - VanEck Semiconductor ETF
ARKK 2014 ARK Innovation ETF
UPRO 2009 ProShares UltraPro S&P 500 (3x daily)
SSO 2006 ProShares Ultra S&P 500 (2x daily)
SPXL 2008 Direxion Daily S&P 500 Bull 3X
TQQQ 2010 ProShares UltraPro QQQ (3x daily)
QLD 2006 ProShares Ultra QQQ (2x daily)
TMF 2009 Direxion Daily 20+ Year Treasury Bull 3X
TYD 2009 Direxion Daily 7-10 Year Treasury Bull 3X
UBT 2010 ProShares Ultra 20+ Year Treasury (2x daily)
SH 2006 ProShares Short S&P 500 (-1x daily)
SDS 2006 ProShares UltraShort S&P 500 (-2x daily)
SPXU 2009 ProShares UltraPro Short S&P 500 (-3x daily)
SQQQ 2010 ProShares UltraPro Short QQQ (-3x daily)
SVXY 2011 ProShares Short VIX Short-Term Futures ETF
NTSX 2018 WisdomTree US Efficient Core (90/60)
RSSB 2023 Return Stacked Global Stocks & Bonds ETF
IBIT 2024 iShares Bitcoin Trust
GBTC 2015 Grayscale Bitcoin Trust
AAPL 1980 Apple
MSFT 1986 Microsoft
NVDA 1999 NVIDIA
AMZN 1997 Amazon
GOOGL 2004 Alphabet class A
GOOG 2004 Alphabet
META 2012 Meta Platforms
TSLA 2010 Tesla
BRK-B 1996 Berkshire Hathaway class B
JPM - JPMorgan Chase
V 2008 Visa
MA 2006 Mastercard
UNH - UnitedHealth
JNJ - Johnson & Johnson
XOM - Exxon Mobil
CVX - Chevron
PG - Procter & Gamble
KO - Coca-Cola
PEP - PepsiCo
WMT 1972 Walmart
COST - Costco
HD 1981 Home Depot
MCD - McDonald's
DIS - Walt Disney
NFLX 2002 Netflix
AVGO 2009 Broadcom
AMD - Advanced Micro Devices
INTC 1971 Intel
ORCL 1986 Oracle
CRM 2004 Salesforce
ADBE 1986 Adobe
CSCO 1990 Cisco
IBM - IBM
QCOM 1991 Qualcomm
TXN - Texas Instruments
BAC - Bank of America
WFC - Wells Fargo
GS 1999 Goldman Sachs
MS - Morgan Stanley
LLY - Eli Lilly
MRK - Merck
PFE - Pfizer
ABBV 2013 AbbVie
BA - Boeing
CAT - Caterpillar
GE - GE Aerospace
F - Ford Motor
T - AT&T
VZ - Verizon
PLTR 2020 Palantir
COIN 2021 Coinbase
MSTR 1998 Strategy (MicroStrategy)
UBER 2019 Uber
^GSPC - S&P 500 index
^IXIC - Nasdaq Composite index
^NDX - Nasdaq-100 index
^DJI - Dow Jones Industrial Average
^RUT - Russell 2000 index
^VIX 1990 CBOE volatility index
^TNX - 10-year Treasury yield index
CL=F - Crude oil futures
GC=F - Gold futures
SI=F - Silver futures
ES=F - S&P 500 E-mini futures
EURUSD=X - Euro in US dollars
GBPUSD=X - British pound in US dollars
JPY=X - US dollar in Japanese yen
CPIAUCSL 1947 Consumer prices, seasonally adjusted
CPIAUCNS 1913 Consumer prices
CPILFESL 1957 Consumer prices without food and energy
PCEPI 1959 Personal consumption prices
UNRATE 1948 Unemployment rate
PAYEMS 1939 Nonfarm payrolls
ICSA 1967 Initial jobless claims
FEDFUNDS 1954 Fed funds rate, monthly
DFF 1954 Fed funds rate, daily
SOFR 2018 Secured overnight financing rate
TB3MS 1934 3-month T-bill rate, monthly
DTB3 1954 3-month T-bill rate, daily
DGS3MO 1981 3-month Treasury yield
DGS2 1976 2-year Treasury yield
DGS5 1962 5-year Treasury yield
DGS10 1962 10-year Treasury yield
DGS30 1977 30-year Treasury yield
T10Y2Y 1976 10-year minus 2-year Treasury yield
T10Y3M 1982 10-year minus 3-month Treasury yield
T10YIE 2003 10-year breakeven inflation rate
BAMLH0A0HYM2 - High-yield bond spread
MORTGAGE30US 1971 30-year mortgage rate
GDP 1947 Gross domestic product
GDPC1 1947 Real gross domestic product
INDPRO 1919 Industrial production
HOUST 1959 Housing starts
UMCSENT 1952 Consumer sentiment, University of Michigan
USREC 1854 US recession indicator
M2SL 1959 Money supply M2
WALCL 2002 Fed balance sheet
VIXCLS 1990 CBOE volatility index
NFCI 1971 Financial conditions index, Chicago Fed
CASHX - Cash without interest, computed
TBILLX - Cash at the T-bill rate, computed
`

const COINS: Readonly<Record<string, string>> = {
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  SOL: 'Solana',
  XRP: 'XRP',
  BNB: 'BNB',
  ADA: 'Cardano',
  DOGE: 'Dogecoin',
  AVAX: 'Avalanche',
  LTC: 'Litecoin',
  LINK: 'Chainlink',
  DOT: 'Polkadot',
  BCH: 'Bitcoin Cash',
}

const DERIVATIVES: Readonly<Record<string, string>> = {
  FR: 'funding rate',
  OI: 'open interest',
  LS: 'long/short ratio',
  LIQ: 'liquidations',
}

const listed: readonly CatalogueEntry[] = ENTRIES.trim()
  .split('\n')
  .map((line) => {
    const [ticker = '', year = '', ...words] = line.split(' ')
    return { ticker, name: words.join(' '), sinceYear: year === '-' ? undefined : Number(year) }
  })

const NAMES: ReadonlyMap<string, CatalogueEntry> = new Map(listed.map((entry) => [entry.ticker, entry]))

/** The ticker's name where it has one, else the ticker. */
export function tickerName(ticker: string): string {
  const coin = coinOf(ticker)
  if (coin === undefined) return NAMES.get(ticker)?.name ?? ticker
  const name = COINS[coin] ?? coin
  const derivative = DERIVATIVES[ticker.split('-').at(-1)!]
  return derivative ? `${name} ${derivative}` : name
}

const coinEntries: readonly CatalogueEntry[] = [
  ...Object.keys(COINS).map((coin) => `${coin}-USD`),
  ...['BTC', 'ETH'].flatMap((coin) => Object.keys(DERIVATIVES).map((kind) => `${coin}-${kind}`)),
].map((ticker) => ({ ticker, name: tickerName(ticker), sinceYear: undefined }))

/** What most people ask for first, in the order in which it is offered. */
export const catalogue: readonly CatalogueEntry[] = [...listed, ...coinEntries]

export const catalogueEntry = (ticker: string): CatalogueEntry | undefined =>
  NAMES.get(ticker) ?? coinEntries.find((entry) => entry.ticker === ticker)
