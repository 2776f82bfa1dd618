/**
 * The most common passwords of eight characters and more that leaked lists agree on, lower case. Short words are in it for
 * what is made of them: `welcome` also refuses `welcome123` and `Welcome2024!`.
 */
const COMMON = new Set(
  `
  password passw0rd p@ssword p@ssw0rd passwort passwords mypassword password password1 password12 password123
  12345678 123456789 1234567890 12345678910 123456789a 1234567891 0123456789 0987654321 987654321 9876543210 87654321
  123123123 1231231234 12341234 12344321 123454321 1234554321 1234512345 123456123 123456123456 11223344 1122334455
  112233445566 123321123 1233211234567 147258369 159753159 159357159 147852369 741852963 963852741 789456123 456789123
  123789456 321654987 159357456 135792468 1357924680 246813579 13579246 24681012 102030405 10203040 1020304050 20202020
  19841984 19851985 19861986 19871987 19881988 19891989 19901990 19911991 19921992 19931993 19941994 19951995 20002000
  20012001 20102010 20112011 20122012 20202021 69696969 12121212 21212121 13131313 31313131 14141414 23232323 45454545
  78787878 89898989 98989898 10101010 01010101 00112233 12345677 12345679 12345687 1234567a 12345678a 123456789q
  a12345678 a123456789 a1234567 q12345678 q123456789 abc12345 abc123456 abc1234567 abcd1234 abcd12345 abcde12345 abcdef123
  1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx zaq1zaq1 zaq1xsw2 qazwsxedc qazwsx123 q1w2e3r4
  q1w2e3r4t5 q1w2e3r4t5y6 qwer1234 qwert12345 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyui qwertyuiop
  qwertyuiop[] qwerty qwertz qwertzui azerty azertyui azertyuiop asdfghjk asdfghjkl asdfasdf asdf1234 asdfqwer zxcvbnm
  zxcvbnm123 zxcvbnm1 zxcvbnmm poiuytrewq lkjhgfdsa mnbvcxz mnbvcxz123 1234qwer 123qweasd 123qwe123 123qweasdzxc qweasdzxc
  qweasd qweqweqwe qwe123qwe qweasd123 asd123asd 1234abcd 12345qwert 123456qwerty 123abc456 123456abc abcdefgh abcdefghi
  abcdefghij abcabcabc abc123abc aaaaaaaa1 aa123456 aa12345678 aaa111 aaaa1111 asdasdasd zzzzzzzz1 xxxxxxxx1 qqqqqqqq1
  iloveyou iloveyou1 iloveyou2 iloveu iloveme ilovemom ilovejesus iloveyou! letmein letmein1 letmeinnow welcome welcome1
  welcome123 sunshine princess princesa football baseball basketball superman batman spiderman pokemon starwars trustno1
  monkey dragon shadow master jordan jordan23 michael michelle jennifer jessica charlie jasmine daniel danielle ashley
  amanda andrew joshua matthew anthony christopher alexander elizabeth nicholas benjamin samantha victoria veronica
  alejandro alexandra francesco francisco fernando giovanni leonardo valentina isabella gabriel gabriela stephanie stephen
  computer internet samsung samsung1 nintendo playstation minecraft counterstrike warcraft callofduty slipknot metallica
  nirvana blink182 ironman avengers chocolate chocolat butterfly strawberry cheesecake pineapple watermelon sweetheart
  darkness blessing lovelove loverboy lovebird forever friends football1 baseball1 soccer hockey softball liverpool
  liverpool1 manchester chelsea arsenal arsenal1 barcelona realmadrid juventus galatasaray fenerbahce corvette mustang
  ferrari porsche mercedes yamaha harley chevrolet
  admin admin123 admin1234 administrator adminadmin root rootroot toor guest guest123 user username user1234 test test1234
  testtest testing testing123 tester changeme changeme123 default demo demo1234 temp temp1234 temppass secret secret123
  login login123 pass pass1234 passpass passport system server oracle master123 super super123 superuser superstar
  whatever nothing hello hello123 helloworld hellohello hottie lovely angel angels babygirl babyboy beautiful cutiepie
  mynameis goodluck goodgirl badboy bigdaddy blahblah bubbles buster casper cookie cowboys cowboy dallas diamond eagles
  elephant firebird fireball flower fluffy freedom fuckyou fuckyou1 fuckoff garfield gateway ginger godzilla goldfish
  hannah happy happy123 heather homer hunter hunter2 icecream jackass jackson jackie jeremiah junior justin killer
  kimberly lakers lakers24 lauren lollipop loveyou madison maggie marina marlboro matrix maverick mercury midnight
  montana mountain mustang1 naruto nicole oliver orange pakistan india123 panther patrick peaches peanut pepper phoenix
  pookie precious purple rainbow rangers raiders redskins remember richard robert rockstar rockyou rosebud scooter
  scorpion silver snoopy snowball spartan spongebob steelers steve sterling stupid summer summer2020 summer2021
  summer2022 summer2023 summer2024 winter winter2020 winter2021 winter2022 winter2023 winter2024 spring autumn sunflower
  swordfish taylor tennis teresa thomas thunder thunderbird tigger tiger tinkerbell tomcat tottenham trinity tweety
  unicorn vanessa viking warrior william wildcats wizard yankees yellow zachary christmas valentine september november
  december october february saturday sunday monday friday
  trading trader trader123 tradewright investor invest bitcoin bitcoin1 ethereum crypto crypto123 money money123 million
  millionaire market stocks stockmarket portfolio wallstreet company company123 business office office123 finance
  access access14 account changeit letmein123 opensesame sesame p4ssw0rd pa55word pa55w0rd passw0rd1 password! q1w2e3
  deutschland frankreich schalke04 borussia hallo hallo123 hallihallo schatz sommer sonnenschein fussball
  motdepasse doudou soleil loulou marseille bonjour contraseña contrasena teamo tequiero mariposa estrella hola1234
  senha senha123 brasil flamengo corinthians iloveyou123 woaini woaini1314 woaini520 5201314 asdfgh asdfghj
  `
    .trim()
    .split(/\s+/),
)

const DIGITS_AND_MARKS_AT_THE_END = /[\d!?.@#$%&*_+=-]+$/

/** `password` in lower case. */
export function isCommonPassword(password: string): boolean {
  if (new Set(password).size <= 2) return true
  return COMMON.has(password) || COMMON.has(password.replace(DIGITS_AND_MARKS_AT_THE_END, '')) || isRun(password)
}

/** Each character follows the one before it: `23456789`, `abcdefgh`, `87654321`. */
function isRun(password: string): boolean {
  const codes = Array.from(password).map((character) => character.codePointAt(0)!)
  const steps = new Set(codes.slice(1).map((code, index) => code - codes[index]!))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}
