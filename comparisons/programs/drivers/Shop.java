package boot;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A shop: JPA entities in H2, a repository, a controller that answers in JSON. */
@SpringBootApplication
public class Shop {
    public static void main(String[] args) {
        var context = SpringApplication.run(Shop.class, args);
        var items = context.getBean(Items.class);
        for (String name : List.of("tea", "salt", "soap")) items.save(new Item(name, name.length()));
        System.out.println("ready " + context.getEnvironment().getProperty("local.server.port"));
    }
}

@Entity
class Item {
    @Id
    @GeneratedValue
    Long id;
    String name;
    int price;

    protected Item() {}

    Item(String name, int price) {
        this.name = name;
        this.price = price;
    }

    public Long getId() {
        return id;
    }

    public String getName() {
        return name;
    }

    public int getPrice() {
        return price;
    }
}

interface Items extends JpaRepository<Item, Long> {
    List<Item> findByPriceGreaterThanOrderByName(int price);
}

@RestController
class ItemController {
    private final Items items;

    ItemController(Items items) {
        this.items = items;
    }

    @GetMapping("/items")
    List<Item> all() {
        return items.findByPriceGreaterThanOrderByName(3);
    }

    @GetMapping("/items/{id}")
    ResponseEntity<Item> one(@PathVariable("id") long id) {
        return items.findById(id).map(ResponseEntity::ok).orElse(ResponseEntity.notFound().build());
    }
}
