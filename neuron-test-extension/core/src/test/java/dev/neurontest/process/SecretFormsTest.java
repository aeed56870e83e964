package dev.neurontest.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which secrets appear, and the texts that only look like them. The tokens are made up. */
class SecretFormsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # names in an environment
            PGPASSWORD=geheim psql              | PGPASSWORD=*** psql
            SSHPASS=geheim                      | SSHPASS=***
            DB_PASS=12345                       | DB_PASS=***
            export dbPass='a b'                 | export dbPass='***'
            MYSQL_PWD=geheim PWD=/home/me       | MYSQL_PWD=*** PWD=/home/me
            Server=db;User Id=sa;Pwd=geheim;    | Server=db;User Id=sa;Pwd=***;
            GH_PAT=abc123                       | GH_PAT=***
            GITHUB_TOKEN_RO=abc                 | GITHUB_TOKEN_RO=***
            OPENAI_KEY=abc                      | OPENAI_KEY=***
            MASTERKEY=abc                       | MASTERKEY=***
            MY_SECRETS_FOR_CI=abc               | MY_SECRETS_FOR_CI=***
            MYCREDENTIALS=abc                   | MYCREDENTIALS=***
            GITHUBTOKEN=abc                     | GITHUBTOKEN=***
            aws_secret_access_key = wJalr/K7    | aws_secret_access_key = ***
            AccountName=me;AccountKey=aB3==;x=1 | AccountName=me;AccountKey=***;x=1
            //npm.example/:_auth=bWU6Z2VoZWlt1  | //npm.example/:_auth=***
            {"auth": "bWU6Z2VoZWltZXM1"}        | {"auth": "***"}
            X-Hub-Signature-256: sha256=0a1b2c  | X-Hub-Signature-256: ***
            Set-Cookie: id=a; Path=/            | Set-Cookie: ***
            # the shapes of tokens, under no name
            cloned with ghp_abcdefghijklmnopqrstuvwxyz0123456789.      | cloned with ghp_***.
            gho_abcdefghijklmnopqrstuvwxyz0123456789                   | gho_***
            ghs_abcdefghijklmnopqrstuvwxyz0123456789                   | ghs_***
            github_pat_11ABCDEFG0abcdefghijkl_MNOPQRSTUVWXYZ0123456789 | github_pat_***
            glpat-abcDEF_1234-ghiJKL567                                | glpat-***
            the id AKIAIOSFODNN7EXAMPLE is refused                     | the id AKIA*** is refused
            (ASIAIOSFODNN7EXAMPLE)                                     | (ASIA***)
            x xoxb-123456789012-abcdefGHIJKL                          | x xoxb-***
            AIzaSyA-abcdefghijklmnopqrstuvwxyz01234                    | AIza***
            npm_abcdefghijklmnopqrstuvwxyz0123456789                   | npm_***
            hf_abcdefghijklmnopqrstuvwxyzABCDEFGH                      | hf_***
            sk-proj-abcdefghijklmnopqrstuvwxyz0123                     | sk-***
            got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_9x here  | got eyJ*** here
            "a\\nghp_abcdefghijklmnopqrstuvwxyz0123456789\\nb"         | "a\\nghp_***\\nb"
            -----BEGIN OPENSSH PRIVATE KEY-----b3BlbnNz                | -----BEGIN OPENSSH PRIVATE KEY-----***
            # addresses
            https://me:geheim@host:8080/repo          | https://me:***@host:8080/repo
            postgres://me:ge@heim@db/x                | postgres://me:***@db/x
            https://0123456789abcdef0123@host/1       | https://***@host/1
            https://b/k?X-Amz-Signature=0a1b&n=2      | https://b/k?X-Amz-Signature=***&n=2
            ?X-Amz-Credential=me%2Fs3&X-Amz-Date=1    | ?X-Amz-Credential=***&X-Amz-Date=1
            ?a=1&X-Amz-Security-Token=IQoJb3JpZ2luX2  | ?a=1&X-Amz-Security-Token=***
            https://blob/x?sv=2024&sig=a%2Bb%3D&se=1  | https://blob/x?sv=2024&sig=***&se=1
            "https://blob/x?sv=2024\\u0026sig=a%2Bb"  | "https://blob/x?sv=2024\\u0026sig=***"
            https://cdn/x?signature=abc               | https://cdn/x?signature=***
            https://api/x?access_token=abc            | https://api/x?access_token=***
            https://api/x?key=a1b2c3d4e5f6a7b8        | https://api/x?key=***
            # command lines
            curl -u me:geheim https://host            | curl -u me:*** https://host
            curl -sS --user 'me:ge heim' https://host | curl -sS --user 'me:***' https://host
            curl -ume:geheim https://host             | curl -ume:*** https://host
            [curl, -u, me:geheim, https://host]       | [curl, -u, me:***, https://host]
            ["/usr/bin/curl", "-u", "me:geheim"]      | ["/usr/bin/curl", "-u", "me:***"]
            sshpass -p geheim ssh -p 22 host          | sshpass -p *** ssh -p 22 host
            mysql -u me -pgeheim -P 3306 db           | mysql -u me -p*** -P 3306 db
            docker login -u me -p geheim registry     | docker login -u me -p *** registry
            redis-cli -a geheim ping                  | redis-cli -a *** ping
            run --password geheim --batch 8           | run --password *** --batch 8
            run --password=geheim                     | run --password=***
            keytool -storepass geheim -alias x        | keytool -storepass *** -alias x
            vault login -token abc                    | vault login -token ***
            # headers
            Authorization: Bearer abc                 | Authorization: ***
            Proxy-Authorization: Basic bWU6Z2VoZWlt x | Proxy-Authorization: ***
            sent Basic bWU6Z2VoZWlt                   | sent Basic ***
            {'Authorization': 'Token abc'}            | {'Authorization': '***'}
            X-Api-Key: abc                            | X-Api-Key: ***
            Private-Token: abc                        | Private-Token: ***
            """)
    void masks(String text, String expected) {
        // when
        String masked = Redaction.mask(text);

        // then
        assertThat(masked).isEqualTo(expected);
        assertThat(Redaction.mask(masked)).as("masked again").isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KeyError: 'token'",
                "KeyError: 'api_key' is missing",
                "token_ids: [1, 2], tensor token_ids=int32[1,128]",
                "\"token_type_ids\": [[0, 1]], \"token_count\": 7",
                "tokens=128 max_tokens=512 --max-new-tokens 64",
                "token=128",
                "tokenizer=bert TOKENIZERS_PARALLELISM=false detokenize: yes",
                "KEYBOARD=us MONKEY=banana keyword=x turkey: big",
                "model[key=value].neff",
                "cache_key=paged SORT_KEY=name PUBLIC_KEY=ssh-rsa S3_KEY=model/a.neff",
                "/opt/keys/model.neff: found",
                "pass 3 of 5",
                "PASSED: 12, passed=3, PASSED=3, FAILED=0",
                "PASS: InferenceTest",
                "pass: fuse_operators, first_pass=fast, num_pass=3, pass=2",
                "COMPASS=north bypass=yes lowpass=fir",
                "PATH=/usr/bin PAT=x path: /tmp/a",
                "PWD=/home/me OLDPWD=/tmp",
                "signature=serving_default, signatures: 2",
                "sig=SIGKILL",
                "SSH_AUTH_SOCK=/tmp/agent.1 auth=none author=me",
                "commit 6fa79c4e0b1d2c3f4a5b6c7d8e9f0a1b2c3d4e5f",
                "run-4711-123e4567-e89b-12d3-a456-426614174000.jsonl",
                "http://localhost:8080/metrics?x=1&key=value",
                "https://hub.example/team/model",
                "mail me@example.org: thanks",
                "git@github.com:team/repo.git",
                "a basic functionality, Basic HttpServer",
                "task-manager-of-the-neuron-runtime-with-a-long-name",
                "ghp_short AKIA eyJust hf_model npm_config_registry",
                "curl -s https://host:8080/x -o out",
                "docker run -p 8080:80 image",
                "mysql -p db",
                "ssh -p 22 me@host",
                "python -u infer.py a:b",
                "secretary general",
                "cookiecutter: x",
            })
    void shows(String text) {
        // when, then
        assertThat(Redaction.mask(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password=",
                "curl -u a:b ",
                "curl ",
                "a=",
                "token ",
                "://a:",
                "://a:b@",
                "@",
                "eyJ",
                "eyJabcdefgh.",
                "ghp_",
                "sk-a1",
                "-p ",
                "--a",
                "?sig=",
                "\\\"",
                "\"",
                "'",
                "Basic ",
                "Basic aGVsbG8gd29ybGQ",
                "AKIA",
                "_KEY",
                "a_pass",
                "mysql -p",
                "docker login -p ",
                "key ",
                "xoxb-1-",
                "-----BEGIN ",
                "\\u0026",
                "aB",
                "\t",
                "auth=\"",
                "secret: [{"
            })
    void endsForALongLine(String part) {
        // given
        String line = part.repeat((1 << 18) / part.length());

        // when, then
        assertThat(Redaction.mask(line)).hasSizeLessThan(2 * line.length() + 100);
        assertThat(Redaction.mask(line + "=x")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            curl,-u,me:a b,x                  | curl,-u,me:***,x
            /usr/bin/curl,--user=me:a b       | /usr/bin/curl,--user=me:***
            sshpass,-p,a b,ssh,-p,22,host     | sshpass,-p,***,ssh,-p,22,host
            env,PGPASSWORD=a b,psql           | env,PGPASSWORD=***,psql
            keytool,-storepass,a b            | keytool,-storepass,***
            docker,login,-p,a b               | docker,login,-p,***
            docker,run,-p,80:80               | docker,run,-p,80:80
            mysql,-pgeheim,db                 | mysql,-p***,db
            python,-u,infer.py,--max-tokens,8 | python,-u,infer.py,--max-tokens,8
            """)
    void masksArguments(String arguments, String expected) {
        // when, then
        assertThat(Redaction.mask(List.of(arguments.split(",")))).containsExactly(expected.split(","));
    }
}
